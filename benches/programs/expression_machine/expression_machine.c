// A machine with a stack evaluates formulas at many points. Each instruction is done for a block of points at
// once, so that it is decoded once for all of them, and the loops over the points are vectors.
#include "../harness/bench.h"
#include <math.h>

enum { BLOCK = 64, STACK = 32 };

typedef enum { CONSTANT, VARIABLE, ADD, SUBTRACT, MULTIPLY, DIVIDE, SINE, ABSOLUTE } operation;

typedef struct {
  operation operation;
  float number;
} instruction;

static int64_t dims[2], points;
static const uint8_t *codes;
static const float *numbers, *xs, *ys;
static float *errors;

void bench_setup(void) {
  codes = bench_u8s(2, dims);
  numbers = bench_f32s(2, dims);
  xs = bench_f32s(1, &points);
  ys = bench_f32s(1, &points);
}

static inline instruction decode(uint8_t code, float number) {
  switch (code % 10) {
  case 8: return (instruction){VARIABLE, 0};
  case 9: return (instruction){CONSTANT, number - 1};
  default: return (instruction){(operation)(code % 10), number};
  }
}

static inline float add(float x, float y) { return x + y; }
static inline float subtract(float x, float y) { return x - y; }
static inline float multiply(float x, float y) { return x * y; }
static inline float quotient(float x, float y) { return x * y / (y * y + 0.01f); }

static const float zeros[BLOCK];

// Replaces the two topmost blocks of values. What is missing is zero.
static inline int binary(float stack[restrict STACK][BLOCK], int top, float (*f)(float, float)) {
  const float *y = top < 1 ? zeros : stack[top - 1], *x = top < 2 ? zeros : stack[top - 2];
  float *to = stack[top < 2 ? 0 : top - 2];
  for (int k = 0; k < BLOCK; k++) {
    to[k] = f(x[k], y[k]);
  }
  return top < 2 ? 1 : top - 1;
}

static inline int unary(float stack[restrict STACK][BLOCK], int top, float (*f)(float)) {
  if (top < 1) {
    memset(stack[0], 0, sizeof stack[0]);
    top = 1;
  }
  for (int k = 0; k < BLOCK; k++) {
    stack[top - 1][k] = f(stack[top - 1][k]);
  }
  return top;
}

static const float *evaluate(const instruction *program, int64_t n, const float *x,
                             float stack[restrict STACK][BLOCK]) {
  int top = 0;
  for (int64_t i = 0; i < n; i++) {
    switch (program[i].operation) {
    case CONSTANT:
      for (int k = 0; k < BLOCK; k++) {
        stack[top][k] = program[i].number;
      }
      top++;
      break;
    case VARIABLE: memcpy(stack[top++], x, sizeof stack[0]); break;
    case ADD: top = binary(stack, top, add); break;
    case SUBTRACT: top = binary(stack, top, subtract); break;
    case MULTIPLY: top = binary(stack, top, multiply); break;
    case DIVIDE: top = binary(stack, top, quotient); break;
    case SINE: top = unary(stack, top, sinf); break;
    case ABSOLUTE: top = unary(stack, top, fabsf); break;
    }
  }
  return top < 1 ? zeros : stack[top - 1];
}

void bench_run(void) {
  bench_free(errors);
  errors = bench_alloc((size_t)dims[0] * sizeof *errors);
  if (dims[1] >= STACK) {
    bench_fail("the program may need a deeper stack");
  }
  instruction program[STACK];
  float stack[STACK][BLOCK], block[BLOCK];
  for (int64_t p = 0; p < dims[0]; p++) {
    for (int64_t i = 0; i < dims[1]; i++) {
      program[i] = decode(codes[p * dims[1] + i], numbers[p * dims[1] + i]);
    }
    float sum = 0;
    for (int64_t from = 0; from < points; from += BLOCK) {
      const int64_t size = points - from < BLOCK ? points - from : BLOCK;
      memset(block, 0, sizeof block);
      memcpy(block, xs + from, (size_t)size * sizeof *block);
      const float *values = evaluate(program, dims[1], block, stack);
      for (int64_t k = 0; k < size; k++) {
        const float d = values[k] - ys[from + k], square = d * d;
        sum += square < 100 ? square : 100;
      }
    }
    errors[p] = sum / (float)points;
  }
}

void bench_output(void) {
  bench_put_f32s(errors, 1, dims);
}
