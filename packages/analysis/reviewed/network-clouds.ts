import { securityGroup, securityRule, standaloneRule, databaseFirewallRule } from "./estate/azure.ts";
import { firewall, tcp } from "./estate/google.ts";
import { created, planOf, type ReviewedPlan, updated } from "./plan.ts";

const EVERYBODY = ["0.0.0.0/0"];

/** Google Cloud and Azure: firewalls and network security groups. */
export const NETWORK_CLOUDS: readonly ReviewedPlan[] = [
  {
    name: "Google: SSH from anywhere",
    level: "critical",
    why: "Every machine in the network would accept SSH from the internet.",
    plan: planOf(created("google_compute_firewall.ssh", firewall("allow-ssh", tcp("22"), EVERYBODY))),
  },
  {
    name: "Google: everything from anywhere",
    level: "critical",
    why: "All protocols and ports of the whole network are open to everyone.",
    plan: planOf(
      created(
        "google_compute_firewall.all",
        firewall("allow-all", [{ protocol: "all", ports: [] }], EVERYBODY),
      ),
    ),
  },
  {
    name: "Google: a rule for the office is opened to anywhere",
    level: "critical",
    why: "Port 5432 was open to the office and would be open to everyone.",
    plan: planOf(
      updated("google_compute_firewall.db", firewall("allow-db", tcp("5432"), ["203.0.113.48/29"]), {
        source_ranges: ["::/0", "0.0.0.0/0"],
      }),
    ),
  },
  {
    name: "Google: an application port from anywhere",
    level: "high",
    why: "Port 9000 of the workers would be public.",
    plan: planOf(
      created(
        "google_compute_firewall.app",
        firewall("allow-app", tcp("9000"), EVERYBODY, { target_tags: ["worker"] }),
      ),
    ),
  },
  {
    name: "Google: HTTPS from anywhere to tagged machines",
    level: "medium",
    why: "Port 443 only, on machines with the tag `web`.",
    plan: planOf(
      created(
        "google_compute_firewall.web",
        firewall("allow-web", tcp("443"), EVERYBODY, { target_tags: ["web"] }),
      ),
    ),
  },
  {
    name: "Google: health checks of load balancers",
    level: "medium",
    why: "Google's health check ranges, which every backend needs.",
    plan: planOf(
      created(
        "google_compute_firewall.health",
        firewall("allow-health-checks", tcp("8080"), ["130.211.0.0/22", "35.191.0.0/16"]),
      ),
    ),
  },
  {
    name: "Google: SSH through Identity-Aware Proxy",
    level: "medium",
    why: "Only Google's proxy range, which authenticates users.",
    plan: planOf(
      created("google_compute_firewall.iap", firewall("allow-iap", tcp("22"), ["35.235.240.0/20"])),
    ),
  },
  {
    name: "Google: everything inside the network",
    level: "medium",
    why: "Broad, but only between our own machines.",
    plan: planOf(
      created("google_compute_firewall.inside", firewall("allow-internal", tcp("0-65535"), ["10.128.0.0/9"])),
    ),
  },
  {
    name: "Google: a deny rule",
    level: "medium",
    why: "Denies SSH from everywhere; check that nobody is locked out.",
    plan: planOf(
      created(
        "google_compute_firewall.deny",
        firewall("deny-ssh", [], EVERYBODY, { deny: tcp("22"), priority: 500 }),
      ),
    ),
  },
  {
    name: "Google: a disabled rule",
    level: "medium",
    why: "Opens nothing while it is disabled.",
    plan: planOf(
      created(
        "google_compute_firewall.off",
        firewall("allow-ssh-off", tcp("22"), EVERYBODY, { disabled: true }),
      ),
    ),
  },
  {
    name: "Google: egress to anywhere",
    level: "medium",
    why: "Outbound only.",
    plan: planOf(
      created(
        "google_compute_firewall.out",
        firewall("allow-out", tcp("443"), [], { direction: "EGRESS", destination_ranges: EVERYBODY }),
      ),
    ),
  },
  {
    name: "Azure: RDP from any source",
    level: "critical",
    why: "`*` is the internet, and 3389 is an administration port.",
    plan: planOf(created("azurerm_network_security_rule.rdp", standaloneRule("*", "3389"))),
  },
  {
    name: "Azure: SSH from Internet in an inline rule",
    level: "critical",
    why: "The service tag `Internet` means everyone.",
    plan: planOf(
      updated("azurerm_network_security_group.shop", securityGroup(), {
        security_rule: [securityRule("Internet", "22", { name: "ssh" })],
      }),
    ),
  },
  {
    name: "Azure: all ports from 0.0.0.0/0",
    level: "critical",
    why: "Every port is open to everyone.",
    plan: planOf(
      created("azurerm_network_security_rule.all", standaloneRule("0.0.0.0/0", "*", { protocol: "*" })),
    ),
  },
  {
    name: "Azure: a list of ports that includes SQL Server, from any source",
    level: "critical",
    why: "The ports include 1433, open to everyone.",
    plan: planOf(
      created(
        "azurerm_network_security_rule.list",
        standaloneRule("Internet", "", {
          destination_port_range: null,
          destination_port_ranges: ["443", "1430-1440"],
        }),
      ),
    ),
  },
  {
    name: "Azure: HTTPS from Internet",
    level: "medium",
    why: "What a public gateway needs.",
    plan: planOf(created("azurerm_network_security_rule.https", standaloneRule("Internet", "443"))),
  },
  {
    name: "Azure: SSH from the office",
    level: "medium",
    why: "Eight of our own addresses.",
    plan: planOf(created("azurerm_network_security_rule.office", standaloneRule("203.0.113.48/29", "22"))),
  },
  {
    name: "Azure: all inbound traffic is denied",
    level: "medium",
    why: "Check that needed traffic has a rule with a higher priority.",
    plan: planOf(
      created(
        "azurerm_network_security_rule.deny",
        standaloneRule("*", "*", { access: "Deny", priority: 4096, protocol: "*" }),
      ),
    ),
  },
  {
    name: "Azure: outbound to Internet",
    level: "medium",
    why: "Outbound only.",
    plan: planOf(
      created(
        "azurerm_network_security_rule.out",
        standaloneRule("*", "*", { direction: "Outbound", destination_address_prefix: "Internet" }),
      ),
    ),
  },
  {
    name: "Azure: a database is opened to all addresses",
    level: "critical",
    why: "0.0.0.0 to 255.255.255.255 lets the whole internet connect to the database.",
    plan: planOf(
      created("azurerm_mssql_firewall_rule.all", databaseFirewallRule("0.0.0.0", "255.255.255.255")),
    ),
  },
  {
    name: "Azure: a database is opened to all of Azure",
    level: "high",
    why: "0.0.0.0 to 0.0.0.0 admits every Azure customer, not only us.",
    plan: planOf(created("azurerm_mssql_firewall_rule.azure", databaseFirewallRule("0.0.0.0", "0.0.0.0"))),
  },
  {
    name: "Azure: a database is opened to one office address",
    level: "medium",
    why: "One address; check and approve.",
    plan: planOf(
      created("azurerm_postgresql_flexible_server_firewall_rule.office", {
        ...databaseFirewallRule("203.0.113.50", "203.0.113.50"),
        server_id:
          "/subscriptions/5f0c7d1a-3b2e-4c96-8a41-d7e9b0c6f213/resourceGroups/shop-prod/providers/Microsoft.DBforPostgreSQL/flexibleServers/lumen-ledger",
      }),
    ),
  },
];
