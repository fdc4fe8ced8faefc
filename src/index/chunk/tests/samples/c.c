/* lic */
#include <stdio.h>
#include "x.h"
#define A 1
#define F(x) (x)
/* doc */
static struct foo *bar(struct baz *b, type_t t)
{
  struct q z;
  int i = call(b->fn(1), s.g(2));
}
typedef int (*cb_t)(int);
typedef struct { int a; } S;
struct foo { int a; };
enum e { X };
int proto(int a);
static const char *names[] = { "a" };
struct foo gl = { .a = 1 };
#ifdef X
int g2;
#endif
