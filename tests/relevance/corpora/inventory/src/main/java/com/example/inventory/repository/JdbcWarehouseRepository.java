package com.example.inventory.repository;

import com.example.inventory.model.StockLevel;
import com.example.inventory.model.Warehouse;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Warehouses in a database. */
public class JdbcWarehouseRepository implements WarehouseRepository {
    private static final String SELECT = "select sku, on_hand from stock where warehouse = ?";

    private final DataSource source;

    public JdbcWarehouseRepository(DataSource source) {
        this.source = source;
    }

    @Override
    public Warehouse require(String code) {
        try (Connection connection = source.getConnection();
                PreparedStatement statement = connection.prepareStatement(SELECT)) {
            statement.setString(1, code);
            Warehouse warehouse = new Warehouse(code);
            ResultSet rows = statement.executeQuery();
            while (rows.next()) {
                warehouse.put(new StockLevel(rows.getString(1), rows.getInt(2)));
            }
            return warehouse;
        } catch (SQLException error) {
            throw new RepositoryException("can't load warehouse " + code, error);
        }
    }

    @Override
    public void save(Warehouse warehouse) {
        throw new UnsupportedOperationException("stock is changed by events");
    }
}
