import { usageView } from "@/lib/chat/data/usage-view";
import { HttpError } from "@/lib/server/http-error";
import { numberIn, route, textIn } from "@/lib/server/route";

const mostDays = 3_660;

export const GET = route(async ({ owner, query }) => {
  const days = numberIn(query, "days");
  if (days !== undefined && (!Number.isInteger(days) || days < 1 || days > mostDays)) {
    const message = `“days” must be a whole number from 1 to ${mostDays.toLocaleString("en")}.`;
    throw new HttpError(400, "invalid-query", message, "days");
  }
  const timeZone = textIn(query, "tz") ?? "UTC";
  return Response.json(await usageView(owner, { days: days ?? null, timeZone }));
});
