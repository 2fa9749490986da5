import { adminEndpoint } from "@/app/api/endpoint";
import { backupsWire } from "@/lib/server/backups-wire";
import { HttpError } from "@/lib/server/http-error";

export const GET = adminEndpoint("GET /api/backups", ({ services }) =>
  backupsWire(services.backups),
);

export const POST = adminEndpoint("POST /api/backups", async ({ services: { backups } }) => {
  if (await backups.start()) return backupsWire(backups);
  throw new HttpError(409, "backup-running", "A backup is running already.");
});
