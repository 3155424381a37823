export const devices = {
  title: "Devices",
  network: "Phones on this network",
  about:
    "Lets phones and other devices on the same network reach Hearth. Each is shown here when it calls, and waits until it is let in. What they send by HTTP is not encrypted.",
  openedByHost:
    "Hearth was started with --host, so that everybody on the network reaches it. Start it without, and devices can be let in here one by one.",
  noNetwork: "This computer is not on a network right now.",
  enabled: "Let devices on this network call",
  interface: "Network",
  gone: "{{name}} · not connected",
  services: "What they reach",
  service: {
    app: "Application server",
    provider: "Platform API",
    model: "Model service",
  },
  addresses: "Addresses for the devices",
  scan: "Scan the code with a phone on the same network, or type an address into its app.",
  code: "QR code of {{address}}",
  certificate: "Certificate for the device",
  certificateHint:
    "Install it on the device, and its apps take the HTTPS addresses. It vouches for local addresses and the hosts that Hearth stands in for, and for nothing else.",
  never: "The console, its API and the simulator's control routes (/sim) are not offered there.",
  waiting: "Waiting to be let in",
  passing: "On this network",
  everyone: "Let in everyone on this network",
  everyoneHint: "Ends by itself when this computer leaves the network.",
  nobodyWaits: "No device has called within the last minutes.",
  admit: "Let in",
  admitName: "Let in {{name}}",
  in: "Devices that are let in",
  nobodyIn: "No device has been let in.",
  remove: "Remove",
  removeName: "Remove {{name}}",
  unnamed: "Unnamed device",
  noAddress: "another device has its address",
  firewall: "If a device gets no answer",
  firewallOn: {
    linux: "A firewall on this computer may block it. These commands open the ports:",
    darwin:
      "The firewall of macOS may block it: in System Settings, Network, Firewall, Options, let Hearth accept incoming connections.",
    win32:
      "The firewall of Windows may block it: set this network to Private in Settings, and allow the ports in a PowerShell that runs as administrator:",
  },
} as const;
