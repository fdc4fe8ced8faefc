package com.example.inventory.repository;

import com.example.inventory.model.Article;
import java.util.Collection;

/** Where articles are kept. */
public interface ArticleRepository {
    Collection<Article> all();

    void add(Article article);
}
