"use client";

import { useState } from "react";

export function usePrefetchOnApproach() {
  const [isNear, setIsNear] = useState(false);
  const approach = () => setIsNear(true);
  return { prefetch: isNear ? null : false, onPointerEnter: approach, onFocus: approach };
}
