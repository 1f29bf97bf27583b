import type { ExclusionRule, ListedResource } from "../cloud.ts";

/** Rules for resources whose tags show that another tool or service created them. */
export const otherOwners: readonly ExclusionRule[] = [
  owned(
    "cloudformation",
    "Created and declared by a CloudFormation stack.",
    /^aws:cloudformation:stack-(?:id|name)$/,
  ),
  owned(
    "service_catalog",
    "Created by a Service Catalog product.",
    /^aws:servicecatalog:provisionedProductArn$/,
  ),
  owned(
    "elastic_beanstalk",
    "Created by an Elastic Beanstalk environment.",
    /^elasticbeanstalk:environment-(?:id|name)$/,
  ),
  owned("autoscaling", "Started by an Auto Scaling group.", /^aws:autoscaling:groupName$/),
  owned(
    "ec2_fleet",
    "Started by an EC2 fleet or a spot fleet.",
    /^aws:(?:ec2:fleet-id|ec2spot:fleet-request-id)$/,
  ),
  owned(
    "batch",
    "Created by AWS Batch for a compute environment.",
    /^(?:aws:batch:compute-environment|AWSBatchServiceTag)$/,
  ),
  owned("ecs", "Started by an ECS service.", /^aws:ecs:serviceName$/),
  owned("emr", "Started by an EMR cluster.", /^aws:elasticmapreduce:job-flow-id$/),
  owned("backup", "Created by AWS Backup for a backup plan.", /^aws:backup:source-resource$/),
  owned(
    "data_lifecycle",
    "Created by a lifecycle policy of Data Lifecycle Manager.",
    /^aws:dlm:lifecycle-policy-id$/,
  ),
  owned("karpenter", "Created by Karpenter.", /^karpenter\.(?:sh|k8s\.aws)\//),
  owned("cluster_api", "Created by Cluster API.", /^sigs\.k8s\.io\/cluster-api-provider-aws\//),
  owned("crossplane", "Created and declared by Crossplane.", /^crossplane-(?:kind|name)$/),
  owned(
    "ack",
    "Created and declared by an AWS controller for Kubernetes.",
    /^services\.k8s\.aws\/controller-version$/,
  ),
  owned(
    "eks",
    "Created by EKS for a cluster or node group.",
    /^(?:eks:(?:cluster-name|nodegroup-name)|aws:eks:cluster-name)$/,
  ),
  {
    id: "aws.owned_by_kubernetes",
    title: "Created by a controller in a Kubernetes cluster.",
    applies: hasTag(
      (name, value) =>
        KUBERNETES.test(name) || (name.startsWith("kubernetes.io/cluster/") && value === "owned"),
    ),
  },
];

const KUBERNETES =
  /^(?:kubernetes\.io\/(?:service-name|ingress-name|created-for\/pvc\/name)|(?:elbv2|ingress|service)\.k8s\.aws\/|ebs\.csi\.aws\.com\/cluster|efs\.csi\.aws\.com\/cluster)/;

function owned(owner: string, title: string, tag: RegExp): ExclusionRule {
  return { id: `aws.owned_by_${owner}`, title, applies: hasTag((name) => tag.test(name)) };
}

function hasTag(matches: (name: string, value: string) => boolean): (resource: ListedResource) => boolean {
  return ({ tags = {} }) => {
    for (const name in tags) if (matches(name, tags[name] ?? "")) return true;
    return false;
  };
}
