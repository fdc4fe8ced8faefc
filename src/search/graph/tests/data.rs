//! References in data: objects of Kubernetes, services, jobs.

use super::check;

#[test]
fn objects_of_kubernetes_are_named_by_kind() {
    let object =
        |kind: &str, rest: &str| format!("apiVersion: v1\nkind: {kind}\nmetadata:\n  name: shop\n{rest}");
    let deployment = object(
        "Deployment",
        "spec:\n  template:\n    spec:\n      serviceAccountName: shop\n      containers:\n      - envFrom:\n        \
         - configMapRef: { name: shop }\n",
    );
    check(
        &[
            ("k8s/web.yaml", deployment.as_str()),
            ("k8s/settings.yaml", object("ConfigMap", "").as_str()),
            ("k8s/account.yaml", object("ServiceAccount", "").as_str()),
            (
                "k8s/scaler.yaml",
                "apiVersion: v1\nkind: Scaler\nmetadata:\n  name: grow\nspec:\n  target:\n    kind: Deployment\n    \
                 name: shop\n",
            ),
        ],
        &[
            (
                "k8s/web.yaml",
                "shop",
                &[
                    "k8s/account.yaml ServiceAccount.shop (qualifier)",
                    "k8s/settings.yaml ConfigMap.shop (qualifier)",
                ],
            ),
            ("k8s/scaler.yaml", "shop", &["k8s/web.yaml Deployment.shop (qualifier)"]),
        ],
    );
}

#[test]
fn jobs_and_services_are_those_of_their_own_file() {
    let jobs = "on: push\njobs:\n  build:\n    runs-on: a\n  test:\n    needs: [build]\n";
    check(
        &[
            (".github/workflows/ci.yml", jobs),
            (".github/workflows/release.yml", jobs),
            ("compose.yaml", "services:\n  web:\n    depends_on:\n      - db\n  db:\n    image: a\n"),
        ],
        &[
            (".github/workflows/ci.yml", "build", &[".github/workflows/ci.yml jobs.build (qualifier)"]),
            ("compose.yaml", "db", &["compose.yaml services.db (qualifier)"]),
        ],
    );
}

#[test]
fn an_object_of_another_folder_is_meant_if_no_other_has_its_name() {
    let object =
        |kind: &str, name: &str| format!("apiVersion: v1\nkind: {kind}\nmetadata:\n  name: {name}\n");
    let patch = object("Patch", "grow")
        + "spec:\n  target:\n    kind: Deployment\n    name: shop\n  configMapRef:\n    name: two\n";
    check(
        &[
            ("base/web.yaml", object("Deployment", "shop").as_str()),
            ("base/service.yaml", object("Service", "shop").as_str()),
            ("base/a/settings.yaml", object("ConfigMap", "two").as_str()),
            ("base/b/settings.yaml", object("ConfigMap", "two").as_str()),
            ("overlay/patch.yaml", patch.as_str()),
        ],
        &[
            ("overlay/patch.yaml", "shop", &["base/web.yaml Deployment.shop (only declaration)"]),
            ("overlay/patch.yaml", "two", &[]),
        ],
    );
}
