/**
 * Declared resources that share a key with too many others of their source to be matched by it, and live resources
 * with the same key. Both are places. They are never compared each with each.
 */
export class Crowd {
  readonly declared: readonly number[];
  readonly #lives: number[] = [];
  /** Live resources without a region are under "". */
  readonly #livesByRegion = new Map<string, number[]>();

  constructor(declared: readonly number[]) {
    this.declared = declared;
  }

  get isSeen(): boolean {
    return this.#lives.length > 0;
  }

  see(live: number, region = ""): void {
    this.#lives.push(live);
    const there = this.#livesByRegion.get(region);
    if (there) there.push(live);
    else this.#livesByRegion.set(region, [live]);
  }

  /**
   * Returns a check whether a source can declare one of the live resources that can be in a region.
   * @param isFree whether a live resource can be declared by a source
   */
  finder(isFree: (live: number, source: number) => boolean): (source: number, region?: string) => boolean {
    const known = new Map<string, boolean>();
    const isAnyFree = (lives: readonly number[] | undefined, source: number, asked: string): boolean => {
      let answer = known.get(asked);
      if (answer === undefined) {
        answer = lives?.some((live) => isFree(live, source)) === true;
        known.set(asked, answer);
      }
      return answer;
    };
    return (source, region) =>
      region === undefined
        ? isAnyFree(this.#lives, source, `${source}`)
        : isAnyFree(this.#livesByRegion.get(region), source, `${source} ${region}`) ||
          isAnyFree(this.#livesByRegion.get(""), source, `${source} `);
  }
}
