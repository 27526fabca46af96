// SPDX-License-Identifier: Apache-2.0
// Copyright The Articula authors
//
// Comparison of results.csv with the certificate of the run.
#include "show/result_check.h"

#include <string.h>
#include <unistd.h>

#include "base/error.h"
#include "base/memory.h"
#include "show/csv.h"
#include "show/json_read.h"
#include "show/page.h"


// Read the rows and hash of results.csv from a certificate; false if it has none.
static bool read_claim(const char *path, long *rows, char sha256[SHA256_LENGTH])
{
  char *text = NULL;
  size_t size = 0;
  if (access(path, R_OK) != 0 || file_read(path, &text, &size, NULL) != ART_OK) return false;
  baseArena arena = {0};
  const jsonNode *root = NULL;
  (void) json_read(&root, text, size, path, &arena, NULL);
  const double claimed = json_find_number(root, "rows", -1);
  const char *sum = json_find_text(root, "results_sha256", "");
  const bool is_claim = claimed >= 0 && claimed < 1e15 && strlen(sum) == SHA256_LENGTH - 1;
  if (is_claim) {
    *rows = (long) claimed;
    memcpy(sha256, sum, SHA256_LENGTH);
  }
  arena_free(&arena);
  mem_free(text);
  return is_claim;
}


static artStatus compare_rows(const char *path, long claimed, const char *claimed_sha256,
                              artError *error)
{
  long rows = 0;
  char sha256[SHA256_LENGTH];
  if (access(path, F_OK) != 0) {
    return file_wrong(error, path,
                      "the file is missing, and certificate.json says that it has %ld rows; run "
                      "the model again",
                      claimed);
  }
  const artStatus spent = file_charge(path, error);
  if (spent) return spent;
  if (csv_sum(path, &rows, sha256, NULL) != ART_OK)
    return ART_OK; // the reader of the results
                   // reports the reason
  if (rows != claimed) {
    return file_wrong(error, path,
                      "found %ld rows, but certificate.json says that the run wrote %ld: %s; run "
                      "the model again",
                      rows, claimed, rows < claimed ? "rows are missing" : "rows were added");
  }
  if (strcmp(sha256, claimed_sha256) == 0) return ART_OK;
  return file_wrong(
      error, path,
      "the file has changed since the run wrote its %ld rows: its SHA-256 is not that "
      "of certificate.json; run the model again",
      rows);
}


artStatus result_check(const char *result, artError *error)
{
  char lock[FILE_PATH_LENGTH], certificate[FILE_PATH_LENGTH], table[FILE_PATH_LENGTH];
  long rows;
  char sha256[SHA256_LENGTH];
  if (page_beside(result, "lock", lock, NULL) != ART_OK ||
      page_beside(result, "certificate.json", certificate, NULL) != ART_OK ||
      page_beside(result, "results.csv", table, NULL) != ART_OK) {
    return ART_OK;
  }
  if (access(lock, F_OK) == 0 || !read_claim(certificate, &rows, sha256)) return ART_OK;
  return compare_rows(table, rows, sha256, error);
}
