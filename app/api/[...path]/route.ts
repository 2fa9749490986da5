import "@/lib/server/services";

import { HttpError } from "@/lib/server/http-error";
import { route } from "@/lib/server/route";

const unknown = route<{ path: string[] }>(() => {
  throw new HttpError(404, "not-found", "The API has no such path.");
});

export { unknown as DELETE, unknown as GET, unknown as PATCH, unknown as POST, unknown as PUT };
