import { orNothing, preloadable } from "@/app/_ui/preloadable";

export const consentPart = preloadable(
  orNothing(() => import("./dictation-consent").then((part) => part.ConsentDialog)),
);
