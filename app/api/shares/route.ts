import { endpoint } from "@/app/api/endpoint";
import { listShares } from "@/lib/server/shares";

export const GET = endpoint("GET /api/shares", listShares);
