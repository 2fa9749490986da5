declare module "dynalite" {
  import type { Server } from "node:http";

  // biome-ignore lint/style/noDefaultExport: the package exports nothing else
  export default function dynalite(options?: { readonly createTableMs?: number }): Server;
}
