// lic
#ifndef G
#define G
#include <vector>
#include "a/b.h"
#define MX(a) ((a)+1)
using namespace std;
namespace n { namespace m::k {
/// doc
template <typename T> class Foo : public Base<T>, private ns::Other {
 public:
  Foo(int a) : a_(a) {}
  ~Foo();
  virtual int bar(const std::string& s) const = 0;
  static Foo* make();
  int (*cb)(int);
  operator bool() const { return true; }
  Foo& operator=(const Foo&);
 private:
  int a_;
};
int Foo<T>::baz(std::vector<X> v) { v.push_back(1); n::f<int>(2); this->g(); new Foo(1); auto q = std::make_unique<Z>(1); }
Foo::Foo() {}
static const int kX = 3;
int *p(int);
long as_long(int x) { return static_cast<long>(x); }
}}  // namespace n
typedef struct tag { int a; } Tag_t;
extern "C" { int cfun(void); }
enum class E { A };
using AL = std::vector<int>;
int x, *y[3] = {0};
#endif
