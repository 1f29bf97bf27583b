// oxlint-disable import/no-unassigned-import -- they add what Node.js 20 lacks and the engine uses
import "core-js/actual/array/from-async";
import "core-js/actual/iterator";
import "core-js/actual/map/group-by";
import "core-js/actual/object/group-by";
import "core-js/actual/promise/with-resolvers";
import "core-js/actual/set";
