import { endpoint } from "@/app/api/endpoint";
import { importUpload } from "@/lib/server/import-upload";

export const POST = endpoint("POST /api/import", ({ owner, services, request, query }) =>
  importUpload(request.body, {
    personId: owner.personId,
    spaceId: owner.spaceId,
    databaseUrl: services.installation.databaseUrl,
    dataDir: services.installation.dataDir,
    signal: request.signal,
    hasChoices: query.choices === "first",
  }).finally(() =>
    // Lines before a failure are stored.
    owner.store.events.emit({ type: "data", sessionId: null, action: "import" }),
  ),
);
