import { endpoint } from "@/app/api/endpoint";
import { accountWire, endDevices, ownOf } from "@/lib/server/own-account";

export const DELETE = endpoint("DELETE /api/account/devices", async (context) => {
  const own = ownOf(context);
  await endDevices(context.services, own, { except: own.person.sessionId });
  return accountWire(own);
});
