package com.example.inventory.io;

import com.example.inventory.model.Article;
import com.example.inventory.model.Unit;
import com.example.inventory.repository.ArticleRepository;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.Reader;
import java.util.ArrayList;
import java.util.List;

/** Reads articles from a CSV file. */
public class ArticleImporter {
    private final ArticleRepository articles;
    private final int maxErrors;

    public ArticleImporter(ArticleRepository articles, int maxErrors) {
        this.articles = articles;
        this.maxErrors = maxErrors;
    }

    /** Imports every line that can be read, and returns what is wrong with the others. */
    public List<String> importArticles(Reader source) throws IOException {
        List<String> problems = new ArrayList<>();
        BufferedReader reader = new BufferedReader(source);
        String line;
        for (int number = 1; (line = reader.readLine()) != null; number++) {
            try {
                articles.add(parse(CsvLine.split(line)));
            } catch (RuntimeException error) {
                problems.add("line " + number + ": " + error.getMessage());
                if (problems.size() > maxErrors) {
                    throw new IOException("too many errors, the import was stopped");
                }
            }
        }
        return problems;
    }

    private Article parse(List<String> cells) {
        return new Article(cells.get(0), cells.get(1), Integer.parseInt(cells.get(2)), Unit.valueOf(cells.get(3)));
    }
}
