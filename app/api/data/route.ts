import { deleteDataRequest } from "@/lib/chat/wire/data";
import { dataCounts, deleteData } from "@/lib/server/delete-data";
import { bodyOf, route } from "@/lib/server/route";

export const GET = route(async ({ owner, services }) =>
  Response.json(await dataCounts(services, owner)),
);

export const DELETE = route(async ({ owner, services, request }) => {
  await bodyOf(request, deleteDataRequest);
  return Response.json(await deleteData(services, owner));
});
