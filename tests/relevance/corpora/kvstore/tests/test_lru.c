#include <assert.h>

#include "lru.h"

/* The entry that was used longest ago is evicted first. */
static void test_evict_oldest(void)
{
    struct lru lru = {0};
    struct entry a = {.key = "a", .value_len = 10}, b = {.key = "b", .value_len = 10};
    lru.bytes = 22;
    lru_touch(&lru, &a);
    lru_touch(&lru, &b);
    assert(lru_evict(&lru) == &a);
}

int main(void)
{
    test_evict_oldest();
    return 0;
}
