import { inSpace } from "@/app/_ui/page-space";

/** Hands the page of another space something to go on with, in its address, which loses it once it is read. */
function arrival(name: string) {
  return {
    /** Default: in the person's own space. */
    address: (value: string, space: string | null = null) =>
      `${inSpace("/", space)}?${new URLSearchParams({ [name]: value })}`,
    take(): string | null {
      const here = new URL(location.href);
      const value = here.searchParams.get(name);
      if (value === null) return null;
      here.searchParams.delete(name);
      history.replaceState(history.state, "", here);
      return value;
    },
  };
}

export const deletedProject = arrival("deleted-project");
export const askedSearch = arrival("search");
