import postgres from "postgres";

export type ConnectOptions = postgres.Options<Record<string, postgres.PostgresType>>;

/**
 * A lazy pool without notices; the caller ends it. Also takes libpq addresses of Unix sockets,
 * `postgres://user@localhost/name?host=%2Fdir`, which the driver would misread.
 *
 * @see https://www.postgresql.org/docs/18/libpq-connect.html#LIBPQ-CONNSTRING-URIS
 */
export function connect(url: string, options: ConnectOptions = {}): postgres.Sql {
  const settings = { types: { bigint: bigintAsNumber }, onnotice: () => undefined, ...options };
  const socket = unixSocket(url);
  if (!socket) return postgres(url, settings);
  return postgres(socket.url, { ...settings, path: socket.path });
}

/** Numbers stay far below 2^53. */
const bigintAsNumber = {
  to: 20,
  from: [20],
  serialize: (value: number) => String(value),
  parse: (text: string) => Number(text),
};

/** `null` for a TCP address. */
export function unixSocket(url: string): { url: string; path: string } | null {
  const address = new URL(url);
  const directory = address.searchParams.get("host");
  if (!directory?.startsWith("/")) return null;
  const port = address.searchParams.get("port") ?? (address.port || "5432");
  address.searchParams.delete("host");
  address.searchParams.delete("port");
  return { url: address.href, path: `${directory}/.s.PGSQL.${port}` };
}
