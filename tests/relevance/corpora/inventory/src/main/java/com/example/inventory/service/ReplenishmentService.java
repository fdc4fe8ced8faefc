package com.example.inventory.service;

import com.example.inventory.model.Article;
import com.example.inventory.model.Warehouse;
import com.example.inventory.repository.ArticleRepository;
import java.util.ArrayList;
import java.util.List;

/** Proposes purchase orders for what runs low. */
public class ReplenishmentService {
    private final ArticleRepository articles;
    private final int safetyStock;

    public ReplenishmentService(ArticleRepository articles, int safetyStock) {
        this.articles = articles;
        this.safetyStock = safetyStock;
    }

    public record Proposal(String sku, int quantity) {}

    /** Lists the articles whose stock is below their reorder point. */
    public List<Proposal> propose(Warehouse warehouse) {
        List<Proposal> proposals = new ArrayList<>();
        for (Article article : articles.all()) {
            int available = warehouse.levelOf(article.sku()).map(level -> level.available()).orElse(0);
            if (available < article.reorderPoint()) {
                proposals.add(new Proposal(article.sku(), article.reorderPoint() + safetyStock - available));
            }
        }
        return proposals;
    }
}
