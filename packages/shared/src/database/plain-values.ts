/** Settings of a connection by which values are written as they are read here, whatever the server's own settings are. */
export const PLAIN_VALUES = { TimeZone: "UTC", DateStyle: "ISO", bytea_output: "hex", extra_float_digits: 1 };
