import { adminEndpoint } from "@/app/api/endpoint";
import { houseShares } from "@/lib/server/house-shares";

export const GET = adminEndpoint("GET /api/people/shares", houseShares);
