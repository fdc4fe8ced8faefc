/* lic */
package a.b;
import java.util.*;
import static a.b.C.d;
/** Doc. */
@Entity @Table(name = "x")
public class T<K extends Q> extends Base<K> implements I, x.J<Z> {
  public static final int C = 1;
  private Foo f;
  /** c */
  public T(int a) { super(a); this.f = new Foo<>(); }
  /** m */
  @Override
  public List<String> m(Map<A, B> x) throws IOException { this.f.go(); go(); A.b.c(); return new x.Y() { void in() {} }; }
  interface N extends M { int Z = 3; void q(); }
  enum E { A, B { void z() {} } ; int g() { return 1; } }
}
record R(int a) {}
