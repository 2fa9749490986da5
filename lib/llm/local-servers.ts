import type { Environment } from "./environment-providers";

/** A program that serves models on this machine, and the port it listens on unless told otherwise. */
export type LocalServer = { readonly name: string; readonly label: string; readonly port: number };

const servers: readonly LocalServer[] = [
  { name: "ollama", label: "Ollama", port: 11434 },
  { name: "lm-studio", label: "LM Studio", port: 1234 },
  { name: "llama.cpp", label: "llama.cpp", port: 8080 },
  { name: "vllm", label: "vLLM", port: 8000 },
];

/**
 * The servers to look for on this machine.
 *
 * `GROVE_DISCOVER_LOCAL=0` looks for none. `GROVE_LOCAL_PORTS` (`ollama=11500,vllm=9000`) moves ports; the
 * servers it does not name stay where they are, and entries that make no sense are ignored.
 */
export function localServers(environment: Environment): readonly LocalServer[] {
  if (environment.GROVE_DISCOVER_LOCAL?.trim() === "0") return [];
  const moved = portsOf(environment.GROVE_LOCAL_PORTS ?? "");
  return servers.map((server) => ({ ...server, port: moved.get(server.name) ?? server.port }));
}

function portsOf(list: string): Map<string, number> {
  const ports = new Map<string, number>();
  for (const entry of list.split(",")) {
    const [name = "", port = ""] = entry.split("=").map((side) => side.trim());
    const number = Number(port);
    if (name !== "" && Number.isInteger(number) && number > 0 && number < 65_536)
      ports.set(name, number);
  }
  return ports;
}
