import "@/lib/server/services";

import { deleteItem, findItem } from "@/lib/chat/programs/conversations";
import { programRoutes } from "@/lib/server/program-route";

interface ItemParams {
  conversationId: string;
  itemId: string;
}

export const { DELETE, GET, PATCH, POST, PUT } = programRoutes<ItemParams>({
  GET: async ({ params: { conversationId, itemId }, program }) =>
    Response.json(await findItem(program, conversationId, itemId)),
  DELETE: async ({ params: { conversationId, itemId }, program }) =>
    Response.json(await deleteItem(program, conversationId, itemId)),
});
