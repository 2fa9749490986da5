"use client";

import { useState } from "react";

/** Props of a link whose page few visits need. */
export function usePrefetchOnApproach() {
  const [isNear, setIsNear] = useState(false);
  const approach = () => setIsNear(true);
  return { prefetch: isNear ? null : false, onPointerEnter: approach, onFocus: approach };
}
