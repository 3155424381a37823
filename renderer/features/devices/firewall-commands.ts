type System = "linux" | "darwin" | "win32";

/** Commands that open the ports to the local network, by the firewall that they are for; macOS asks by itself. */
export function firewallCommands(
  system: System,
  ports: readonly number[],
  interfaceName: string,
): { name: string; command: string }[] {
  const list = ports.join(",");
  switch (system) {
    case "linux":
      return [
        { name: "ufw", command: `sudo ufw allow in on ${interfaceName} to any port ${list} proto tcp` },
        {
          name: "firewalld",
          command: `sudo firewall-cmd ${ports.map((port) => `--add-port=${String(port)}/tcp`).join(" ")}`,
        },
      ];
    case "win32":
      return [
        {
          name: "PowerShell",
          command: `New-NetFirewallRule -DisplayName Hearth -Direction Inbound -Action Allow -Protocol TCP -LocalPort ${list} -Profile Private`,
        },
      ];
    case "darwin":
      return [];
  }
}
