/**
 * Declared resources whose key leads to none of them, as too many of a source share it, and the live ones that have it; as
 * their places. However many there are of both, nobody compares each with each.
 */
export class Crowd {
  readonly declared: readonly number[];
  readonly #lives: number[] = [];
  /** Those without a region are under "". */
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
   * Answers whether any of the live ones that can be in a region can be what a source declares.
   * @param isFree whether a live one can be what a source declares
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
