import { endpoint } from "@/app/api/endpoint";
import { confirmPerson } from "@/lib/server/own-account";

export const POST = endpoint("POST /api/account/confirm", (context) =>
  confirmPerson(context, context.body),
);
