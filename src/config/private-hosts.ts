// Reads the variable FETCH_URL_PRIVATE_HOSTS: hosts that tools may read although they are not on the public internet.

const MAX_PORT = 65_535;

/** Returns each host as a URL writes it, with its port; null if an entry is not `host:port`. */
export function readPrivateHosts(text: string | null): ReadonlySet<string> | null {
  const entries = (text ?? "").split(",").flatMap((entry) => entry.trim() || []);
  const hosts = entries.map(parseHost);
  return hosts.includes(null) ? null : new Set(hosts.filter((host) => host !== null));
}

function parseHost(entry: string): string | null {
  const [, host, port] = /^([^/@?#\\\s]+):(\d{1,5})$/.exec(entry) ?? [];
  const url = URL.parse(`http://${host}`);
  const isHost = url?.port === "" && Number(port) <= MAX_PORT;
  return isHost ? `${url.hostname}:${Number(port)}` : null;
}
