/** Connection settings that fix how the server writes values as text, whatever the server's own settings are. */
export const PLAIN_VALUES = { TimeZone: "UTC", DateStyle: "ISO", bytea_output: "hex", extra_float_digits: 1 };
