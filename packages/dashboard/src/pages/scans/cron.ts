const NAMES = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const NICKNAMES: Readonly<Record<string, string>> = {
  "@hourly": "0 * * * *",
  "@daily": "0 0 * * *",
  "@midnight": "0 0 * * *",
  "@weekly": "0 0 * * 0",
  "@monthly": "0 0 1 * *",
};
/** Minute, hour, day and weekday, in every month. */
const EXPRESSION = /^(\d{1,2})\s+(\S+)\s+(\S+)\s+\*\s+(\S+)$/;
const NUMBER = /^\d{1,2}$/;

/** Describes a schedule in words; returns the expression if it is too complex for a sentence. */
export function cronInWords(cron: string): string {
  const expression = NICKNAMES[cron.trim().toLowerCase()] ?? cron.trim();
  const [, minute = "", hour = "", day = "", weekday = ""] = EXPRESSION.exec(expression) ?? [];
  const when = timeInWords(minute, hour);
  const days = daysInWords(day, weekday);
  if (when === undefined || days === undefined) return cron;
  return days === "" ? when.everyDay : `${when.onDays} ${days}`;
}

function timeInWords(minute: string, hour: string): { everyDay: string; onDays: string } | undefined {
  const past = minute.padStart(2, "0");
  if (hour === "*" || hour === "*/1")
    return { everyDay: `Every hour at :${past}`, onDays: `Every hour at :${past},` };
  // Only steps that divide 24 are evenly spaced across midnight.
  const [, step] = /^\*\/([23468]|12)$/.exec(hour) ?? [];
  if (step !== undefined)
    return { everyDay: `Every ${step} hours at :${past}`, onDays: `Every ${step} hours at :${past},` };
  if (!NUMBER.test(hour)) return undefined;
  const time = `${hour.padStart(2, "0")}:${past}`;
  return { everyDay: `Every day at ${time}`, onDays: `At ${time}` };
}

/** Describes the days, empty for every day; undefined if they are too complex. */
function daysInWords(day: string, weekday: string): string | undefined {
  if (day === "*" && weekday === "*") return "";
  if (day === "*") return weekdaysInWords(weekday);
  return weekday === "*" && NUMBER.test(day) ? `on day ${day} of the month` : undefined;
}

function weekdaysInWords(weekday: string): string | undefined {
  if (weekday === "1-5") return "on weekdays";
  const days = weekday.split(",").map((one) => (NUMBER.test(one) ? NAMES[Number(one) % 7] : undefined));
  if (days.includes(undefined)) return undefined;
  return `on ${days.join(", ").replace(/, (?=[^,]+$)/, " and ")}`;
}
