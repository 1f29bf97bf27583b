{{- define "leeway.metadata" -}}
name: {{ .object | default (printf "leeway-%s" .name) }}
namespace: {{ .root.Release.Namespace }}
labels:
  {{- include "leeway.selector" . | nindent 2 }}
  app.kubernetes.io/part-of: leeway
{{- end }}

{{- define "leeway.selector" -}}
app.kubernetes.io/component: {{ .component }}
app.kubernetes.io/name: {{ .name }}
{{- end }}

{{- define "leeway.image" -}}
{{- $image := .root.Values.image -}}
{{- $name := printf "%s/%s" $image.repository .image -}}
{{- with get $image.digests .image -}}
{{ $name }}@{{ . }}
{{- else -}}
{{ $name }}:{{ $image.tag | default .root.Chart.AppVersion }}
{{- end }}
{{- end }}

{{- define "leeway.settings" -}}
{{- $own := get .root.Values.settings .name -}}
{{- $data := merge (dict "LISTEN_ADDRESS" "0.0.0.0" "HEALTH_PORT" "8081") $own -}}
{{- if eq .name "gateway" }}{{ $_ := set $data "PORT" "8080" }}{{ end -}}
{{- if ne .name "quota" }}{{ $_ := set $data "PUBLIC_BASE_URL" .root.Values.publicUrl }}{{ end -}}
{{- toYaml $data -}}
{{- end }}

{{- /* A hash in the name: a changed setting restarts the pods, and a rollback finds the old settings. */ -}}
{{- define "leeway.settingsName" -}}
settings-{{ .name }}-{{ include "leeway.settings" . | sha256sum | trunc 10 }}
{{- end }}

{{- define "leeway.streamsName" -}}
streams-{{ printf "%v %v" .root.Values.nats.replicas .root.Values.nats.placementTags | sha256sum | trunc 10 }}
{{- end }}

{{- define "leeway.pod" -}}
serviceAccountName: leeway-{{ .name }}
automountServiceAccountToken: false
enableServiceLinks: false
securityContext:
  runAsNonRoot: true
  runAsUser: 1000
  runAsGroup: 1000
  {{- if .tmp }}
  fsGroup: 1000
  {{- end }}
  seccompProfile: { type: RuntimeDefault }
{{- with .root.Values.pod }}
{{ toYaml . }}
{{- end }}
{{- if or .tmp .root.Values.caConfigMap }}
volumes:
  {{- with .tmp }}
  - name: tmp
    emptyDir: { sizeLimit: {{ . }} }
  {{- end }}
  {{- with .root.Values.caConfigMap }}
  - name: ca
    configMap: { name: {{ . }} }
  {{- end }}
{{- end }}
{{- end }}

{{- define "leeway.container" -}}
image: {{ include "leeway.image" . }}
{{- if .root.Values.caConfigMap }}
env:
  - { name: NODE_EXTRA_CA_CERTS, value: /etc/leeway/ca.crt }
{{- end }}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  capabilities: { drop: [ALL] }
{{- if or .tmp .root.Values.caConfigMap }}
volumeMounts:
  {{- if .tmp }}
  - { name: tmp, mountPath: /tmp }
  {{- end }}
  {{- if .root.Values.caConfigMap }}
  - { name: ca, mountPath: /etc/leeway, readOnly: true }
  {{- end }}
{{- end }}
{{- end }}

{{- define "leeway.dns" -}}
- to:
    - namespaceSelector: { matchLabels: { kubernetes.io/metadata.name: kube-system } }
    - ipBlock: { cidr: 169.254.20.10/32 } # a name server on each node, which no selector finds
  ports:
    - { port: 53, protocol: UDP }
    - { port: 53, protocol: TCP }
{{- end }}

{{- define "leeway.peer" -}}
{{- if not .peers }}{{ fail (printf "%s.peers is required: where it is, such as [{ipBlock: {cidr: 10.0.0.5/32}}]; networkPolicy.enabled=false needs none" .name) }}{{ end -}}
- to: {{ toYaml .peers | nindent 4 }}
  ports: [{ port: {{ .port }}, protocol: TCP }]
{{- end }}

{{- define "leeway.postgresql" -}}
{{ include "leeway.peer" (merge (dict "name" "postgresql") .root.Values.postgresql) }}
{{- end }}

{{- define "leeway.nats" -}}
{{ include "leeway.peer" (merge (dict "name" "nats") .root.Values.nats) }}
{{- end }}

{{- define "leeway.account" -}}
apiVersion: v1
kind: ServiceAccount
metadata: {{ include "leeway.metadata" . | nindent 2 }}
automountServiceAccountToken: false
{{- end }}
