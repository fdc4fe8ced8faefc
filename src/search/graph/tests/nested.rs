//! Types of C++ inside of others, paths in front of types, and headers that another header
//! includes.

use super::check;

const ITERATOR: &str = "namespace db {\n\nclass Iterator {\n public:\n  virtual bool valid() const = 0;\n};\n\n}  // namespace db\n";

const LIST: &str = "namespace db {\n\ntemplate <class Key>\nclass List {\n public:\n  class Iterator {\n   public:\n    bool valid() const;\n    \
                    void next();\n  };\n};\n\ntemplate <class Key>\ninline bool List<Key>::Iterator::valid() const {\n  return this != nullptr;\n}\n\n\
                    template <class Key>\ninline void List<Key>::Iterator::next() {\n  assert(valid());\n}\n\n}  // namespace db\n";

#[test]
fn a_member_belongs_to_the_type_that_its_path_names() {
    check(
        &[
            ("db/iterator.h", ITERATOR),
            ("db/list.h", LIST),
            (
                "db/use.cc",
                "#include \"db/iterator.h\"\n\nnamespace db {\n\nbool use(Iterator* one) {\n  return one->valid();\n}\n\n}  // namespace db\n",
            ),
            (
                "db/table.cc",
                "#include \"db/iterator.h\"\n#include \"db/list.h\"\n\nnamespace db {\n\nclass Table {\n  Iterator* open();\n};\n\n}  // namespace db\n",
            ),
            (
                "db/walk.cc",
                "#include \"db/list.h\"\n\nnamespace db {\n\nvoid walk() {\n  List<int>::Iterator one;\n}\n\n}  // namespace db\n",
            ),
        ],
        &[
            ("db/use.cc", "valid", &["db/iterator.h db::Iterator::valid (declared type)"]),
            ("db/list.h", "valid", &["db/list.h db::List::Iterator::valid (same type)"]),
            // Outside of the list, its iterator is named behind it.
            ("db/table.cc", "Iterator", &["db/iterator.h db::Iterator (import)"]),
            ("db/walk.cc", "Iterator", &["db/list.h db::List::Iterator (qualifier)"]),
        ],
    );
}

#[test]
fn a_path_in_front_of_a_type_says_where_it_is() {
    check(
        &[
            (
                "log/writer.h",
                "namespace log {\n\nclass Writer {\n public:\n  void add();\n};\n\n}  // namespace log\n",
            ),
            (
                "db/db.cc",
                "#include \"log/writer.h\"\n\nnamespace db {\n\nstruct Db::Writer {\n  int n;\n};\n\nvoid Db::open(log::Writer* log, std::Writer* other) {\n  \
                 log->add();\n}\n\n}  // namespace db\n",
            ),
            (
                "db/db.h",
                "namespace db {\n\nclass Db {\n  struct Writer;\n  void open(log::Writer* log, std::Writer* other);\n};\n\n}  // namespace db\n",
            ),
        ],
        &[
            ("db/db.cc", "Writer", &["log/writer.h log::Writer (qualifier)"]),
            ("db/db.cc", "add", &["log/writer.h log::Writer::add (declared type)"]),
        ],
    );
}

#[test]
fn a_method_sees_the_fields_that_its_header_declares() {
    check(
        &[
            ("disk.h", "class Disk {\n public:\n  virtual int read(int n) = 0;\n  int size() const;\n};\n"),
            (
                "real.cc",
                "#include \"disk.h\"\n\nclass Real : public Disk {\n public:\n  int read(int n) override { return n; }\n};\n",
            ),
            ("base.h", "#include \"disk.h\"\n\nclass Base {\n protected:\n  Disk* disk_;\n};\n"),
            (
                "shop.h",
                "#include \"base.h\"\n\nclass Shop : public Base {\n public:\n  int open();\n  std::vector<int> all_;\n};\n",
            ),
            (
                "shop.cc",
                "#include \"shop.h\"\n\nint Shop::open() {\n  return disk_->read(1) + all_.size();\n}\n",
            ),
        ],
        &[
            ("shop.cc", "read", &["disk.h Disk::read (declared type)", "real.cc Real::read (implements it)"]),
            // The library has such a member, too.
            ("shop.cc", "size", &[]),
        ],
    );
}

#[test]
fn a_header_that_a_header_includes_is_seen() {
    check(
        &[
            (
                "include/shop/status.h",
                "namespace shop {\n\nclass Status {\n public:\n  bool ok() const;\n};\n\nint code(const Status& status);\n\n}  // namespace shop\n",
            ),
            (
                "other/status.h",
                "namespace other {\n\nclass Status {\n public:\n  bool ok() const;\n};\n\n}  // namespace other\n",
            ),
            (
                "include/shop/db.h",
                "#include \"shop/status.h\"\n\nnamespace shop {\n\nclass Db {\n public:\n  Status open();\n};\n\n}  // namespace shop\n",
            ),
            (
                "util/code.cc",
                "#include \"shop/status.h\"\n\nnamespace shop {\n\nint code(const Status& status) {\n  return 1;\n}\n\n}  // namespace shop\n",
            ),
            (
                "db/run.cc",
                "#include \"shop/db.h\"\n\nnamespace shop {\n\nbool run(const Status& status) {\n  return status.ok() && code(status);\n}\n\n}  // namespace shop\n",
            ),
        ],
        &[
            ("db/run.cc", "Status", &["include/shop/status.h shop::Status (import)"]),
            ("db/run.cc", "ok", &["include/shop/status.h shop::Status::ok (declared type)"]),
            ("db/run.cc", "code", &["util/code.cc shop::code (import)"]),
        ],
    );
}
