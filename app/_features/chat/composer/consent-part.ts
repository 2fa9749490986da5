import { preloadable } from "@/app/_ui/preloadable";

export const consentPart = preloadable(() =>
  import("./dictation-consent").then((part) => part.ConsentDialog),
);
