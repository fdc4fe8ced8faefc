//! Setters of Ruby: methods that an assignment to an attribute calls.
//!
//! Input: the attribute that gets a value (`cart.name = 1`). Output: the method `name=` of the
//! object, or the attribute that `attr_writer` and the like declare.

use crate::index::chunk::{DeclarationKind, ReferenceKind};
use crate::search::segment::Mention;

use super::Result;
use super::resolve::{Matches, Site, pick};

impl<'g, 's> Site<'g, '_, 's> {
    /// Returns what an assignment to an attribute means.
    pub(super) fn setter(&self, mention: &Mention<'_>) -> Result<Matches<'g, 's>> {
        let call = Mention { kind: ReferenceKind::Call, ..*mention };
        let name = format!("{}=", mention.name);
        let method = self.resolve_here(&Mention { name: &name, ..call })?;
        if method.0.is_certain() && !method.1.is_empty() {
            return Ok(method);
        }
        let (evidence, found) = self.resolve_here(&call)?;
        let attribute = (evidence, pick(&found, |one| one.row.kind == DeclarationKind::Field));
        let is_attribute = !attribute.1.is_empty() && (evidence.is_certain() || method.1.is_empty());
        Ok(if is_attribute { attribute } else { method })
    }
}

#[cfg(test)]
mod tests {
    use crate::search::graph::tests::check;

    #[test]
    fn an_assignment_calls_the_setter() {
        let cart = "class Cart\n  attr_writer :limit\n  def name\n    @name\n  end\n  def name=(value)\n    @name = value\n  end\n  \
                    def go\n    self.name = 'x'\n  end\nend\n";
        let other = "class Other\n  def limit=(n)\n    @n = n\n  end\n  def limit\n    @n\n  end\nend\n";
        check(
            &[
                ("lib/cart.rb", cart),
                ("lib/other.rb", other),
                ("lib/use.rb", "def use\n  cart = Cart.new\n  cart.name = 'y'\n  cart.limit = 3\nend\n"),
                ("lib/read.rb", "def read\n  cart = Cart.new\n  cart.name\nend\n"),
                ("lib/any.rb", "def any(it)\n  it.name = 'z'\nend\n"),
            ],
            &[
                ("lib/cart.rb", "name", &["lib/cart.rb Cart::name= (same type)"]),
                ("lib/use.rb", "name", &["lib/cart.rb Cart::name= (declared type)"]),
                ("lib/use.rb", "limit", &["lib/cart.rb Cart::limit (declared type)"]),
                ("lib/read.rb", "name", &["lib/cart.rb Cart::name (declared type)"]),
                ("lib/any.rb", "name", &["lib/cart.rb Cart::name= (only candidate)"]),
            ],
        );
    }
}
