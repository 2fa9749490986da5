import type { Listen } from "./listen";
import { processName } from "./process-name";

export type ServerSettings = Readonly<Record<string, string>>;

const defaultSettings: ServerSettings = {
  cluster_name: processName,
  // An acknowledged message must survive power loss.
  fsync: "on",
  full_page_writes: "on",
  synchronous_commit: "on",
  max_connections: "60",
  shared_buffers: "128MB",
  // Compiling costs more than any of our statements.
  jit: "off",
  // The value for solid-state disks.
  random_page_cost: "1.1",
  log_checkpoints: "off",
  log_timezone: "UTC",
  timezone: "UTC",
};

export function serverArguments(
  folder: string,
  { listen, settings }: { listen: Listen; settings: ServerSettings },
): string[] {
  const all = { ...defaultSettings, ...settings, ...listenSettings(listen) };
  return [
    "-D",
    folder,
    ...Object.entries(all).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
  ];
}

function listenSettings(listen: Listen): ServerSettings {
  const port = String(listen.port);
  if (listen.kind === "tcp")
    return { listen_addresses: "127.0.0.1", unix_socket_directories: "", port };
  return {
    listen_addresses: "",
    // A list: commas separate, double quotes keep one inside a path.
    unix_socket_directories: `"${listen.directory.replaceAll('"', '""')}"`,
    unix_socket_permissions: "0700",
    port,
  };
}
