export const devices = {
  title: "Devices",
  network: "Phones on this network",
  about:
    "Opens Hearth to phones and other devices on the same network. A new device appears here and waits until you allow it. HTTP traffic is not encrypted.",
  openedByHost:
    "Hearth was started with --host, so everyone on the network can reach it. Restart it without --host to allow devices one by one.",
  noNetwork: "This computer is not connected to a network.",
  enabled: "Open Hearth to this network",
  interface: "Network",
  gone: "{{name}} · not connected",
  services: "Available services",
  service: {
    app: "Application server",
    provider: "Platform API",
    model: "Model service",
  },
  addresses: "Addresses for the devices",
  scan: "Scan the code with a phone on the same network, or type an address into its app.",
  code: "QR code of {{address}}",
  certificate: "Device certificate",
  certificateHint:
    "Install it on the device, so that its apps trust the HTTPS addresses. It is valid only for local addresses and the hosts that Hearth stands in for.",
  never: "Devices cannot reach the console, its API or the simulator's control routes (/sim).",
  waiting: "Waiting for access",
  passing: "On this network",
  everyone: "Allow every device on this network",
  everyoneHint: "Ends automatically when this computer leaves the network.",
  nobodyWaits: "No new devices. Open one of the addresses on a device: it then appears here.",
  admit: "Allow",
  admitName: "Allow {{name}}",
  in: "Allowed devices",
  nobodyIn: "No allowed devices yet.",
  remove: "Remove",
  removeName: "Remove {{name}}",
  unnamed: "Unnamed device",
  noAddress: "another device now has its address",
  firewall: "If a device gets no reply",
  firewallOn: {
    linux: "A firewall on this computer may block it. Open the ports:",
    darwin:
      "The macOS firewall may block it. In System Settings, Network, Firewall, Options, let Hearth accept incoming connections.",
    win32:
      "The Windows firewall may block it. Set this network to Private in Settings, and open the ports in a PowerShell as administrator:",
  },
} as const;
