/** Of a live resource that isn't declared itself, but what made it is. The levels of keys come before it. */
export const OWNER_LEVEL = 5;
