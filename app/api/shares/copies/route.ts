import { endpoint } from "@/app/api/endpoint";
import { copyShared } from "@/lib/server/shared-links";

export const POST = endpoint("POST /api/shares/copies", copyShared);
