// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Types of fields, one per line: text for users, definition in the JSON Schema, and type of the
// value in the definition of an item. Included by field.h and by the schema
// (test/support/schema.c), which define KEY.

// clang-format off
KEY(NUMBER, "number", "number")                                          // double: a quantity or a formula of parameters
KEY(VECTOR, "3 numbers", "vector")                                       // double[3]
KEY(TENSOR, "3 or 6 numbers", "tensor")                                  // double[6]: 3 or 6 entries
KEY(AXIS, "axis", "axis")                                                // double[3]: x, -z, [1, 0, 1]
KEY(AXES, "2 axes", "axes")                                              // double[2][3]
KEY(ORIENTATION, "orientation", "orientation")                           // double[4]
KEY(TEXT, "text", "text")                                                // const char *
KEY(FLAG, "true or false", "flag")                                       // int: true or false
KEY(CHOICE, "word", NULL)                                                // int: one of the choices
KEY(METHOD, "word", NULL)                                                // int: a method; an artBackend is stored at `beside`
KEY(COUNT, "number", "number")                                           // int: a whole number up to a million
KEY(WHOLE, "number", "number")                                           // int: a whole number, not negative
KEY(SEED, "number", "number")                                            // unsigned long long: a whole number
KEY(LETTER, "text", "text")                                              // char: class of a road
KEY(COLOUR, "text", "text")                                              // int: 0xrrggbb
KEY(REFERENCE, "body or body.point", "reference")                        // const char *: a body, or a frame of a body
KEY(END, "body, body.frame or mapping", "end")                           // const char *: one end of a joint; its artPose is stored at `beside`
KEY(BETWEEN, "2 points", "between")                                      // const char *[2]: two references
KEY(SURFACES, "2 surfaces", "surface_pair")                                // const char *[2]: two surfaces
KEY(THROUGH, "2 to 16 points", "through")                                // const char *[ART_MOST_POINTS]: two or more references, NULL after the last
KEY(COORDINATE, "joint or joint.coordinate", "coordinate")               // const char *: coordinate of a joint; defines the unit of later Q_X... keys
KEY(TERM, "joint or joint.coordinate", "coordinate")                     // fieldTerms: one coordinate; defines the unit of later Q_X... keys
KEY(COEFFICIENT, "number", "number")                                     // artLawDef: the coefficient of a linear law
KEY(LAW, "law", "law")                                                   // artLawDef: {polynomial: [..]}, {piecewise: [[x, f], ..]}, {table: [..]}, {segments: {..}}, {air: {..}}
KEY(STOPS, "mapping", "stops")                                           // artStopsDef: a mapping
KEY(SIX, "6 numbers", "six")                                             // double[6]: forces and torques
KEY(SIX_BY_SIX, "6 numbers or 6 rows", "six_by_six")                     // double[36]: a diagonal, or rows
KEY(SIX_LAWS, "mapping of directions to laws", "six_laws")               // artLawDef[6]: directions and laws
KEY(FORMULA, "formula", "formula")                                       // const char *: evaluated during the run
KEY(FORMULAS, "3 formulas", "formulas")                                  // const char *[3]
KEY(SOME_FORMULAS, "formula or list of formulas", "some_formulas")       // artNames: one or several, evaluated during the run
KEY(TABLE, "list of [time, value]", "rows")                              // fieldRows: time and value
KEY(PROFILE, "list of [distance, height]", "rows")                       // fieldRows: distance and height
KEY(OUTLINE, "list of [x, y] or [x, y, radius]", "outline")                 // artNumbers: three for each point
KEY(CORNERS, "list of 3 numbers", "corners")                             // artNumbers: three for each point
KEY(VALUE, "number", "number")                                           // const yamlNode *: a number whose formula may need parameters without a value yet
KEY(BOUNDS, "2 numbers", "bounds")                                       // const yamlNode *: two such numbers
KEY(DESIGN, "list of parameters", "names")                               // none: the section reads the names of parameters
KEY(NUMBERS, "list of numbers", "numbers")                               // artNumbers: a list of any length
KEY(SOME_NUMBERS, "number or list of numbers", "some_numbers")           // artNumbers: one or several
KEY(UNIT, "text", "text")                                                // const char *: an SI unit; defines the unit of later Q_OWN... keys
KEY(ROW, "list of numbers", "numbers")                                   // double[count]
KEY(NAMES, "list of names", "names")                                     // const yamlNode *: a list of names
KEY(NAME_LIST, "list of names", "names")                                 // artNames: a list of names in a study
KEY(LIST, "list of names", "names")                                      // fieldTerms without factors: a list of coordinates
KEY(PART, "text", "text")                                                // const artRoad *: the name of a road defined before this one
KEY(PARTS, "list of names", "names")                                     // int, const artRoad *const *: a list of such roads
KEY(TRACKS, "list of mappings", "track_list")                            // int, const artRoadTrack *: a list of tracks
KEY(POINTS, "mapping of names to positions", "points")                   // none: the section adds names and positions
KEY(FRAMES, "mapping of names to frames", "frames")                      // none: the section adds names and poses
KEY(VISUAL, "shape or list of shapes", "visuals")                        // none: the section adds a shape by type, or a list of shapes
KEY(INERTIA, "3 or 6 numbers, or mapping", "inertia")                    // double[6]: read by the section, which knows mass and centre of mass
KEY(SOLID, "solid or list of solids", "solids")                          // int, const artSolidDef *: read by the section
KEY(MOTION, "mapping of coordinates to formulas", "motion")              // artMotions: coordinates and formulas
KEY(PARAMETERS, "mapping of names to numbers", "given_parameters")       // const yamlNode *: names and quantities
KEY(RENAMES, "mapping of names to names", "given_names")                 // const yamlNode *: names and the names they replace
KEY(COORDINATES, "2 joints or coordinates", "coordinates")               // const char *[2]: two coordinates
KEY(TERMS, "mapping of coordinates to factors", "terms")                 // fieldTerms: coordinates and factors
KEY(PATH, "curve or path", "path_or_curve")                              // artPathDef: the name of a curve, or a path by type
KEY(COMBINATION, "mapping of coordinates to factors", "terms")           // fieldTerms: the same; the first one defines the unit of later Q_X... keys
KEY(ACTUATORS, "list of joints or coordinates", "actuators")             // artNames: a list of coordinates
KEY(INDEPENDENT, "list of joints or coordinates", "actuators")           // const char *: a comma-separated list of joints or coordinates
KEY(ALONG, "mapping of coordinates to factors", "terms")                 // const char *: the first of several coordinates; the reader keeps all
KEY(FUNCTION, "text", "text")                                            // artCallDef: the name of a user function
KEY(ARGUMENTS, "list of numbers", "numbers")                             // artCallDef: parameters of the user function
KEY(ROAD, "text", "text")                                                // const char *: an entry of the section `roads`
KEY(TYRE, "text", "text")                                                // const char *: an entry of the section `tyres`
// clang-format on
