// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// 08: a control loop. A cart of 1 kg is pushed by an input that the program sets every 10 ms: first
// with alternating force, for which the position is known exactly, then by a controller that moves
// the cart to 1 m.
#include <articula/articula.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char CART[] =
    "articula: 1\n"
    "inputs: {push: {unit: N, limits: [-20, 20]}}\n"
    "bodies: {cart: {mass: 1}}\n"
    "joints: {rail: {type: prismatic, axis: x, from: ground, to: cart}}\n"
    "forces: {motor: {type: joint-force, coordinate: rail, value: = push}}\n";


int main(void)
{
  artError error = {0};
  artModel *model = NULL;
  artRun *run = NULL;
  const artRunDef study = art_default_run();
  if (art_read_model(&model, CART, strlen(CART), "cart", &error)) return puts(error.text), 1;
  artData *data = art_create_data(model);
  const int push = art_find_input(model, "push"), slide = art_find_position(model, "rail.slide");
  art_create_run(&run, model, data, &study, &error);

  // each push and its opposite together move the cart by h^2
  const double h = 0.01;
  for (int k = 0; k < 200 && !error.status; k++) {
    art_set_input(model, data, push, k % 2 ? -1 : 1, &error);
    art_step(run, h, &error);
  }
  const double miss = fabs(data->q[slide] - 100 * h * h);
  printf("t = %.2f s: %.12f m, %.0e m from the exact place\n", data->time, data->q[slide], miss);

  for (int k = 0; k < 600 && !error.status; k++) {
    const double wanted = 16 * (1 - data->q[slide]) - 8 * data->v[slide];
    art_set_input(model, data, push, fmax(-20, fmin(20, wanted)), &error);
    art_step(run, h, &error);
  }
  const double off = fabs(data->q[slide] - 1);
  printf("t = %.2f s: %.12f m, under control %s\n", data->time, data->q[slide], error.text);

  art_free_run(run);
  art_free_data(data);
  art_free_model(model);
  return error.status || !(miss < 1e-12) || !(off < 1e-6);
}
