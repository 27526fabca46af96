// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// tyre.h against its rules: NULL, numbers that are not finite, values and notes that there are not.
#include "articula/tyre.h"
#include "support/keep.h"
#include "support/misuse.h"

static const artRadialTyre RADIAL = {0.3, 2e5, 100, 3000};
static const artTyreInput INPUT = {.load = 3000, .kappa = 0.05, .alpha = 0.02, .speed = 10};
static const artWheel WHEEL = {.centre = {0, 0, 0.29}, .axis = {0, 1, 0}, .velocity = {10, 0, 0}};


static artTyre *radial(void)
{
  artTyre *tyre = NULL;
  CHECK(art_create_radial_tyre(&tyre, &RADIAL, NULL) == ART_OK);
  return tyre;
}


static artTyre *magic(void)
{
  static const char text[] = "[MODEL]\nFITTYP = 61\n[DIMENSION]\nUNLOADED_RADIUS = 0.3\n"
                             "[VERTICAL]\nFNOMIN = 4000\nVERTICAL_STIFFNESS = 2e5\nODD = 1\n";
  artTyre *tyre = NULL;
  CHECK_WORKS(art_parse_tyre(&tyre, text, sizeof text - 1, "t.tir", &check_error));
  return tyre;
}


// every definition of a tyre is nothing but numbers
#define OF_CREATED(create, def)                                                                    \
  do {                                                                                             \
    artTyre *none = (artTyre *) 1, *some = NULL;                                                   \
    artError why = {0};                                                                            \
    MISUSE(create(NULL, &def, NULL) == ART_BAD_INPUT);                                             \
    MISUSE(create(&none, NULL, NULL) == ART_BAD_INPUT && none == NULL);                            \
    CHECK(create(&some, &def, NULL) == ART_OK);                                                    \
    art_free_tyre(some);                                                                           \
    double *number = (double *) &def;                                                              \
    for (size_t k = 0; k < sizeof def / sizeof *number; k++) {                                     \
      const double kept = number[k];                                                               \
      for (int i = 0; i < MISUSE_NUMBERS; i++) {                                                   \
        number[k] = misuse_number(i);                                                              \
        none = (artTyre *) 1;                                                                      \
        CHECK(create(&none, &def, &why) == ART_BAD_INPUT && none == NULL && why.text[0]);          \
      }                                                                                            \
      number[k] = kept;                                                                            \
    }                                                                                              \
  } while (0)


OF_CALL(art_default_radial_tyre, CHECK(art_default_radial_tyre().damping == 0))
OF_CALL(art_default_linear_tyre, CHECK(art_default_linear_tyre().friction == 0))
OF_CALL(art_default_calspan_tyre, CHECK(art_default_calspan_tyre().SN == 1))
OF_CALL(art_default_bakker_tyre, CHECK(art_default_bakker_tyre().side[1] == 1011))


OF(tyres_of_numbers)
{
  artRadialTyre plain = RADIAL;
  artLinearTyre linear = {.radial = RADIAL, .slip = 1e5, .cornering = 5e4, .friction = 1};
  artBakkerTyre bakker = art_default_bakker_tyre();
  bakker.radial = RADIAL;
  artCalspanTyre calspan = {.radial = RADIAL, .A2 = 1e4, .A4 = 1e4};
  OF_CREATED(art_create_radial_tyre, plain);
  OF_CREATED(art_create_linear_tyre, linear);
  OF_CREATED(art_create_bakker_tyre, bakker);
  OF_CREATED(art_create_calspan_tyre, calspan);
}


OF(art_load_tyre)
{
  artTyre *none = (artTyre *) 1;
  MISUSE(art_load_tyre(NULL, "t.tir", NULL) == ART_BAD_INPUT);
  MISUSE(art_load_tyre(&none, NULL, NULL) == ART_BAD_INPUT && none == NULL);
  none = (artTyre *) 1;
  CHECK(art_load_tyre(&none, "/nowhere/t.tir", NULL) == ART_IO && none == NULL);
}


OF(art_parse_tyre)
{
  artTyre *none = (artTyre *) 1;
  MISUSE(art_parse_tyre(NULL, "", 0, "t", NULL) == ART_BAD_INPUT);
  MISUSE(art_parse_tyre(&none, NULL, 1, "t", NULL) == ART_BAD_INPUT && none == NULL);
  MISUSE(art_parse_tyre(&none, "", 0, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_parse_tyre(&none, NULL, 0, "t", NULL) == ART_BAD_INPUT && none == NULL);
  art_free_tyre(magic());
}


OF_CALL(art_free_tyre, art_free_tyre(NULL))
OF_CALL(art_count_tyre_values, MISUSE(art_count_tyre_values(NULL) == 0))
OF_CALL(art_count_tyre_notes, MISUSE(art_count_tyre_notes(NULL) == 0))


OF(values_and_notes)
{
  artTyre *tyre = keep_tyre(magic());
  const int n = art_count_tyre_values(tyre), notes = art_count_tyre_notes(tyre);
  CHECK(n > 0 && art_get_tyre_value(tyre, n - 1).key);
  MISUSE(art_get_tyre_value(NULL, 0).key == NULL);
  MISUSE_INDEX(n, art_get_tyre_value(tyre, i).key == NULL)
  MISUSE_INDEX(n, isnan(art_get_tyre_value(tyre, i).number))
  CHECK(notes > 0 && art_get_tyre_note(tyre, notes - 1).key);
  MISUSE(art_get_tyre_note(NULL, 0).key == NULL);
  MISUSE_INDEX(notes, art_get_tyre_note(tyre, i).key == NULL)
}


OF(numbers_of_tyres)
{
  artTyre *tyre = keep_tyre(magic()), *other = keep_tyre(radial());
  double x = 5;
  MISUSE(art_get_tyre_number(NULL, "LMUY", &x) == ART_BAD_INPUT);
  MISUSE(art_get_tyre_number(tyre, NULL, &x) == ART_BAD_INPUT);
  MISUSE(art_get_tyre_number(tyre, "LMUY", NULL) == ART_BAD_INPUT);
  CHECK(art_get_tyre_number(tyre, "NO", &x) == ART_BAD_INPUT && x == 5);
  CHECK(art_get_tyre_number(other, "LMUY", &x) == ART_BAD_INPUT);
  MISUSE(art_set_tyre_number(NULL, "LMUY", 1, NULL) == ART_BAD_INPUT);
  MISUSE(art_set_tyre_number(tyre, NULL, 1, NULL) == ART_BAD_INPUT);
  CHECK(art_set_tyre_number(tyre, "NO", 1, NULL) == ART_BAD_INPUT);
  REFUSE_NUMBER(art_set_tyre_number(tyre, "LMUY", r, NULL) == ART_BAD_INPUT)
  CHECK(art_get_tyre_number(tyre, "LMUY", &x) == ART_OK && x == 1);
}


OF_CALL(art_mirror_tyre, MISUSE((art_mirror_tyre(NULL), 1)))
OF_CALL(art_tyre_force_in_sae, CHECK(isnan(art_tyre_force_in_sae((artTyreForce){.Fy = NAN}).Fy)))
OF_CALL(art_tyre_input_in_sae,
        CHECK(isnan(art_tyre_input_in_sae((artTyreInput){.alpha = NAN}).alpha)))


OF(forces_of_tyres)
{
  artTyre *tyre = keep_tyre(radial());
  double J[6][4], sigma[2];
  MISUSE(isnan(art_evaluate_tyre(NULL, &INPUT).Fz));
  MISUSE(isnan(art_evaluate_tyre(tyre, NULL).Mz));
  const artTyreInput none = {.load = NAN};
  CHECK(isnan(art_evaluate_tyre(tyre, &none).Fz));
  MISUSE((art_differentiate_tyre(tyre, &INPUT, NULL), 1));
  MISUSE((art_differentiate_tyre(NULL, &INPUT, J), isnan(J[0][0]) && isnan(J[5][3])));
  MISUSE((art_differentiate_tyre(tyre, NULL, J), isnan(J[0][0]) && isnan(J[5][3])));
  MISUSE((art_tyre_relaxation(tyre, &INPUT, NULL), 1));
  MISUSE((art_tyre_relaxation(NULL, &INPUT, sigma), isnan(sigma[0]) && isnan(sigma[1])));
  MISUSE((art_tyre_relaxation(tyre, NULL, sigma), isnan(sigma[0]) && isnan(sigma[1])));
}


// of all kinds: numbers that are not finite make numbers that are not, or none that are wrong
OF(radii_and_loads)
{
  artTyre *tyre = keep_tyre(radial()), *other = keep_tyre(magic());
  const artTyreDeflection d = {.depth = NAN}, rate = {.depth = 0.01, .rate = NAN},
                          spin = {.spin = 1};
  MISUSE(isnan(art_tyre_free_radius(NULL, 0)));
  CHECK(isnan(art_tyre_free_radius(other, NAN)));
  MISUSE(isnan(art_tyre_rolling_radius(NULL, 0, 0, 0)));
  CHECK(isnan(art_tyre_rolling_radius(tyre, NAN, 0, 0)));
  MISUSE(isnan(art_tyre_load(NULL, &d)));
  MISUSE(isnan(art_tyre_load(tyre, NULL)));
  CHECK(isnan(art_tyre_load(tyre, &d)));
  CHECK(isnan(art_tyre_load(other, &d)));
  CHECK(isnan(art_tyre_load(tyre, &rate)));
  MISUSE(isnan(art_tyre_loaded_radius(NULL, 3000, &spin)));
  MISUSE(isnan(art_tyre_loaded_radius(tyre, 3000, NULL)));
  CHECK(isnan(art_tyre_loaded_radius(tyre, NAN, &spin)));
}


OF(art_ground_of_road)
{
  double slope[2];
  artGround ground;
  MISUSE((ground = art_ground_of_road(NULL), isnan(ground.height(ground.context, 0, 0, slope))));
}


OF(art_find_contact)
{
  artContact c;
  const artGround none = {NULL, NULL};
  MISUSE(art_find_contact(NULL, NULL, &c) == ART_BAD_INPUT);
  MISUSE(art_find_contact(NULL, &WHEEL, NULL) == ART_BAD_INPUT);
  MISUSE(art_find_contact(&none, &WHEEL, &c) == ART_BAD_INPUT);
  for (int i = 0; i < MISUSE_NUMBERS; i++) {
    for (int k = 0; k < 6; k++) {
      artWheel wheel = WHEEL;
      (k < 3 ? wheel.centre : wheel.axis)[k % 3] = misuse_number(i);
      CHECK(art_find_contact(NULL, &wheel, &c) != ART_OK);
    }
  }
}


OF(art_put_tyre_on_road)
{
  artTyre *tyre = keep_tyre(radial());
  artTyreAnswer a;
  const artGround none = {NULL, NULL};
  MISUSE(art_put_tyre_on_road(NULL, NULL, &WHEEL, NULL, &a) == ART_BAD_INPUT);
  MISUSE(art_put_tyre_on_road(tyre, &none, &WHEEL, NULL, &a) == ART_BAD_INPUT);
  MISUSE(art_put_tyre_on_road(tyre, NULL, NULL, NULL, &a) == ART_BAD_INPUT);
  MISUSE(art_put_tyre_on_road(tyre, NULL, &WHEEL, NULL, NULL) == ART_BAD_INPUT);
  CHECK(art_put_tyre_on_road(tyre, NULL, &WHEEL, NULL, &a) == ART_OK);
}


MISUSE_MAIN("tyre.h")
