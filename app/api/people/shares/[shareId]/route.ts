import { adminEndpoint } from "@/app/api/endpoint";
import { takeDownShare } from "@/lib/server/house-shares";

export const DELETE = adminEndpoint("DELETE /api/people/shares/:shareId", (context) =>
  takeDownShare(context, context.params.shareId),
);
