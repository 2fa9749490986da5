import { endpoint } from "@/app/api/endpoint";
import { deleteEverything } from "@/lib/chat/data/portable-data";

export const GET = endpoint("GET /api/data", ({ owner }) => owner.data.counts());

export const DELETE = endpoint("DELETE /api/data", ({ owner }) => deleteEverything(owner));
