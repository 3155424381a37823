/** Loaded into programs of Node: writes down every host that they connect to, or look up, beyond this machine. */
import { appendFileSync } from "node:fs";
import { Socket } from "node:net";

const { connect } = Socket.prototype; // oxlint-disable-line typescript/unbound-method -- it is called with the socket as this
const note = (host) => {
  if (!/^(127[.]|::1$|localhost$|[/])/.test(host)) appendFileSync(process.env.HEARTH_TEST_OUTGOING_LOG, `${host}\n`);
};

Socket.prototype.connect = function (...args) {
  this.on("connectionAttempt", note).on("lookup", (_error, _address, _family, host) => note(host));
  return connect.apply(this, args);
};
