import { endpoint } from "@/app/api/endpoint";
import { readReleases } from "@/lib/server/release-notes";

export const GET = endpoint("GET /api/about", async ({ owner, services, identity }) => {
  const { version } = services.installation;
  const [releases, { seenVersion }] = await Promise.all([readReleases(), owner.settings.read()]);
  const maySee = identity.person?.role !== "member";
  const stored = maySee ? await services.storedFigures() : null;
  return {
    version,
    releases,
    isNew: seenVersion !== version,
    figures: stored && {
      databaseBytes: stored.databaseBytes,
      running: services.runner.live.count,
      lastBackupAt: stored.lastBackupAt?.toISOString() ?? null,
      postgres: stored.postgres,
      node: process.versions.node,
    },
  };
});
