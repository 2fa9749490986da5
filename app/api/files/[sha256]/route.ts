import { endpoint } from "@/app/api/endpoint";
import { fileResponse } from "@/lib/server/file-transfer";

export const GET = endpoint(
  "GET /api/files/:sha256",
  ({ owner, request, params, query, services }) =>
    fileResponse(owner.files, request, {
      sha256: params.sha256,
      name: query.name ?? "",
      hasAccounts: services.accounts !== null,
    }),
);
