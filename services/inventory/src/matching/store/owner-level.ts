/** Match level of a live resource that is declared only through its owner. Levels of keys are lower. */
export const OWNER_LEVEL = 5;
