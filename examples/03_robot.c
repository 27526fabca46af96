// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// 03: a robot arm: mass matrix, inverse dynamics and forward dynamics.
#include <articula/articula.h>
#include <math.h>
#include <stdio.h>

enum { N = 7 };

int main(void)
{
  artError error = {0};
  artModel *model;
  if (art_load_model(&model, "models/iiwa.yaml", &error)) {
    return fprintf(stderr, "%s\n", error.text), 1;
  }

  // the state: positions of the file, velocities chosen here; art_update makes it effective
  artData *data = art_create_data(model);
  for (int k = 0; k < N; k++) data->v[k] = 0.1 * (k + 1);
  art_update(model, data);

  double hand[3], M[N * N];
  art_frame_position(model, data, art_find_frame(model, "link7"), hand);
  printf("hand at %.6f %.6f %.6f m\n", hand[0], hand[1], hand[2]);
  art_mass_matrix(model, data, M);
  printf("mass matrix, kg m^2\n");
  for (int i = 0; i < N; i++) {
    for (int j = 0; j < N; j++) printf(" %9.6f", M[N * i + j]);
    printf("\n");
  }

  // inverse dynamics: M a + h = tau
  const double a[N] = {0.7, 0.6, 0.5, 0.4, 0.3, 0.2, 0.1};
  double tau[N], back[N], worst = 0;
  art_inverse_dynamics(model, data, a, tau);
  printf("torques, N m\n");
  for (int k = 0; k < N; k++) printf(" %10.6f", tau[k]);

  // forward dynamics must return the same accelerations
  art_forward_dynamics(model, data, tau, back, &error);
  for (int k = 0; k < N; k++) worst = fmax(worst, fabs(back[k] - a[k]));
  printf("\nforward dynamics returns the accelerations to %.1e rad/s^2\n", worst);

  art_free_data(data);
  art_free_model(model);
  return error.status || worst > 1e-10;
}
